"""Texts whose words are as frequent as those of a language, by Zipf's law, and words to search for in them."""

import random

SEED = 1977
QUERIES = 40
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()


def vocabulary():
    """Words of two to five syllables, the frequent ones first."""
    source = random.Random(SEED)
    words = {"".join(source.choices(SYLLABLES, k=source.randint(2, 5))) for _ in range(60_000)}
    return sorted(words, key=lambda word: (len(word), word))


def queries():
    """Rare and frequent words."""
    words = vocabulary()
    return [words[int(len(words) * (turn / QUERIES) ** 2)] for turn in range(QUERIES)]


def texts(folder, count, seed=SEED):
    """Writes texts with a median of 2 KiB, by Zipf's law; returns their size in bytes."""
    source, words = random.Random(seed), vocabulary()
    weights = [1 / (rank + 10) for rank in range(len(words))]
    total = 0
    pool = source.choices(words, weights, k=2_000_000)
    for number in range(count):
        length = max(20, int(source.lognormvariate(5.6, 0.8)))
        start = source.randrange(len(pool) - min(length, 100_000))
        text = " ".join(pool[start : start + length]) + ".\n"
        path = folder / f"{number // 1000:03}" / f"{source.choice(words)}-{number}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        total += len(text)
    return total
