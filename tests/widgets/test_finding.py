"""Entries of a list are found by words that the user types."""

from svmviz.widgets.finding import rank_of


def test_a_word_counts_most_in_the_title_and_least_in_the_content():
    entry = "Larger γ", "Edit > Model Y", "the width of the hills"

    def rank(*words):
        return rank_of(*entry, words)

    assert (
        rank("larger", "γ")
        < rank("larg")
        < rank("gamma")
        < rank("arg")
        < rank("model")
        < rank("hills")
    )
    assert rank("larger", "c") is None
