"""The parts of Scripts/torture."""
