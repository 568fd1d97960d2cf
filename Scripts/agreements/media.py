#!/usr/bin/env python3
"""Compares the findings of media-import with those of exiftool and MediaInfo, on all sound and films below a folder.

    Scripts/agreements/media.py SINK [FOLDER]

SINK is the program media-import; FOLDER is by default $SLUICE_CORPUS, else ../shared/corpus. A file counts as sound or
film if `file` says so or its name ends like one. Prints a Markdown table of counts, then each disagreement with its
cause. Needs file, and exiftool or mediainfo.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from deliveries import Deliveries

ENDINGS = set("""
    3g2 3gp aac ac3 aif aifc aiff amr ape asf au avi caf dts dv eac3 f4v flac flv m2ts m4a m4b m4v mid mka mkv mov mp2
    mp3 mp4 mpc mpeg mpg mxf oga ogg ogm ogv opus ra rm spx tak ts tta voc w64 wav webm wma wmv wv
    """.split())
KEYS = ["duration", "width", "height", "title", "artist", "video_codec", "audio_codec"]
# The names of codecs differ: each row has those that mean the same.
CODECS = [
    {"h264", "avc", "avc1"}, {"hevc", "hvc1", "hev1"}, {"aac", "mp4a", "mp4a-40-2"}, {"mp3", "mpeg audio", "mp4a-6b"},
    {"mp2", "mpeg audio"}, {"mpeg1video", "mpeg2video", "mpeg video"}, {"mjpeg", "jpeg"}, {"opus"}, {"vorbis"},
    {"ac3", "ac-3"}, {"eac3", "e-ac-3"}, {"amr_nb", "amr", "samr"}, {"flv1", "sorenson spark"}, {"png"}, {"flac"},
    {"vp8"}, {"vp9"}, {"theora"}, {"mpeg4", "mpeg-4 visual", "xvid"}, {"msmpeg4v2", "msmpeg4v3", "mpeg-4 visual"},
    {"wmav1", "wmav2", "wma"}, {"wmv1", "wmv2", "wmv3", "vc-1"}, {"adpcm_ms", "adpcm"}, {"speex"}]


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, errors="replace", check=False).stdout


def number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def first(tags, *names):
    return next((tags[n] for n in names if tags.get(n) not in (None, "", [])), None)


def exiftool(file):
    tags = json.loads(run("exiftool", "-j", "-n", "-a", "-api", "LargeFileSupport=1", str(file)) or "[{}]")[0]
    width, height = first(tags, "ImageWidth", "SourceImageWidth"), first(tags, "ImageHeight", "SourceImageHeight")
    if number(tags.get("Rotation")) in (90, 270):
        width, height = height, width
    return {
        "duration": number(first(tags, "Duration", "TrackDuration")), "width": number(width), "height": number(height),
        "title": first(tags, "Title"), "artist": first(tags, "Artist", "Author", "AlbumArtist")}


def mediainfo(file):
    media = json.loads(run("mediainfo", "--Output=JSON", str(file)) or "{}").get("media") or {}
    tracks = {}
    for track in media.get("track") or []:
        tracks.setdefault(track["@type"], track)
    general, video, audio = (tracks.get(t, {}) for t in ("General", "Video", "Audio"))
    width, height = number(video.get("Width")), number(video.get("Height"))
    if number(video.get("Rotation")) in (90, 270):
        width, height = height, width
    return {
        "duration": number(general.get("Duration")), "width": width, "height": height,
        "title": first(general, "Title", "Track"), "artist": first(general, "Performer", "Album_Performer"),
        "video_codec": video.get("Format"), "audio_codec": audio.get("Format")}


def same(key, ours, theirs):
    if ours is None or theirs is None:
        return ours is theirs
    if key == "duration":
        return abs(ours - theirs) <= max(0.1, 0.01 * theirs)
    if key in ("width", "height"):
        return ours == theirs
    ours, theirs = (" ".join(str(v).split()).lower() for v in (ours, theirs))
    if key.endswith("codec"):
        return ours == theirs or (ours.startswith("pcm") and theirs == "pcm") or any(
            ours in row and theirs in row for row in CODECS)
    return ours == theirs


def cause(key, ours, theirs, metadata, file):
    """Why they differ, in the words of a group; the order is that of certainty."""
    problem = metadata.get("problem", "")
    if "fail" in metadata or "crash" in metadata:
        return "**the sink failed**"
    if problem and metadata.get("damaged") and "format" not in metadata:
        return "the file is cut off or broken: ffprobe refuses it, the other reads the part that is there"
    if "knows no such format" in problem or "may name other files" in problem:
        return "ffprobe does not read this format"
    if key in ("width", "height", "video_codec") and "video_codec" not in metadata:
        return "the picture of an album, or no film"
    if theirs is None:
        return "only media-import finds it: exiftool reads few raw streams, and MediaInfo needs several frames"
    if key in ("width", "height") and theirs == ours * 65536:
        return "exiftool takes fixed-point numbers for pixels"
    if key == "duration" and file.suffix in (".ogg", ".oga"):
        return "exiftool estimates Ogg from the nominal bit rate"
    if key == "duration" and file.suffix in (".asf", ".wma", ".wmv"):
        return "ASF: the others count the preroll or the packets"
    if key == "title":
        return "ffprobe does not read this tag"
    return "**not explained**"


def is_media(file):
    if file.suffix[1:].lower() in ENDINGS:
        return True
    return re.match(r"(audio|video)/", run("file", "-b", "--mime-type", str(file))) is not None


def main():
    sink = sys.argv[1]
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("SLUICE_CORPUS", "../shared/corpus"))
    tools = {t: f for t, f in (("exiftool", exiftool), ("mediainfo", mediainfo)) if shutil.which(t)}
    if not tools:
        sys.exit("neither exiftool nor mediainfo is installed")
    deliveries = Deliveries(sink)
    counts, groups, files = {}, {}, 0
    for file in sorted(p for p in folder.rglob("*") if p.is_file() and is_media(p)):
        type = run("file", "-b", "--mime-type", str(file)).strip()
        metadata, _ = deliveries.deliver(file, type)
        files += 1
        for tool, read in tools.items():
            for key, theirs in read(file).items():
                ours = metadata.get(key)
                if ours is None and theirs is None:
                    continue
                is_same = same(key, ours, theirs)
                counts.setdefault((key, tool), [0, 0])[0 if is_same else 1] += 1
                if not is_same:
                    why = cause(key, ours, theirs, metadata, file)
                    groups.setdefault(why, []).append((file.relative_to(folder), key, ours, tool, theirs))
    deliveries.end()
    print(f"{files} files\n\n| finding | tool | the same | different |\n| --- | --- | ---: | ---: |")
    for (key, tool), (equal, different) in sorted(counts.items(), key=lambda c: (KEYS.index(c[0][0]), c[0][1])):
        print(f"| {key} | {tool} | {equal} | {different} |")
    for why, rows in sorted(groups.items(), key=lambda g: -len(g[1])):
        print(f"\n{len(rows)} × {why}\n\n| file | finding | media-import | tool | its value |\n| --- | --- | --- | --- | --- |")
        for row in rows:
            print("| " + " | ".join(str(v if v is not None else "–")[:60].replace("|", "/").replace("\n", " ") for v in row) + " |")


if __name__ == "__main__":
    main()
