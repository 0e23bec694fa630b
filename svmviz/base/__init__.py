"""Tools that know nothing of this program's parts: threads, words, logs, resources."""
