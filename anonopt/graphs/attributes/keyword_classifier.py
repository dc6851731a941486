"""A small classifier of topics by words, which needs neither network nor training."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from anonopt.data.tables.table_files import read_table
from anonopt.graphs.attributes.topics import TOPIC_NAMES

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


class KeywordClassifier:
    """Count the words of a text that belong to each topic.

    Each topic of :data:`~anonopt.graphs.TOPIC_NAMES` but ``Other`` has a packaged list of some
    forty English words; a word of several topics counts for each the less. A plural counts as its
    singular. There is no grammar, no other language, and no word that is not on the lists.

    Of 54 sentences, three a topic, that were kept apart from the lists, the first topic is right
    in 51. The sentences are clear ones and by the same hand as the lists: expect less of real
    posts, and hand in a classifier of your own, any object with a method ``topics(text)``, where
    much depends on it.

    Examples
    --------
    >>> classifier = KeywordClassifier()
    >>> classifier.topics("The court sentenced the thief to two years in prison")
    ['Law_Crime']
    >>> classifier.topics("xyzzy")
    []
    """

    def scores(self, text: str) -> dict[str, float]:
        """Weight of the words of each topic that occurs, in the order of the topics.

        Parameters
        ----------
        text : str

        Returns
        -------
        dict of str to float
            Of each word a topic gets 1 divided by the number of topics it belongs to.
        """
        lists = _topics_of_words()
        found: dict[str, float] = {}
        for word in _WORD.findall(text.lower()):
            owners = next((lists[form] for form in _forms(word) if form in lists), ())
            for topic in owners:
                found[topic] = found.get(topic, 0.0) + 1 / len(owners)
        return {topic: found[topic] for topic in TOPIC_NAMES if topic in found}

    def topics(self, text: str) -> list[str]:
        """Topics of a text: the highest score, and those of at least half of it.

        Parameters
        ----------
        text : str

        Returns
        -------
        list of str
            The highest score first, ties in the order of the topics; empty without any word
            that is known.
        """
        scores = self.scores(text)
        if not scores:
            return []
        least = max(scores.values()) / 2
        ranked = sorted(scores, key=lambda topic: -scores[topic])
        return [topic for topic in ranked if scores[topic] >= least]


def _forms(word: str) -> tuple[str, ...]:
    """A word, and what it may be the plural of."""
    forms = [word]
    if word.endswith("ies"):
        forms.append(word[:-3] + "y")
    if word.endswith("es"):
        forms.append(word[:-2])
    if word.endswith("s"):
        forms.append(word[:-1])
    return tuple(forms)


@cache
def _topics_of_words() -> dict[str, tuple[str, ...]]:
    with resources.as_file(resources.files("anonopt.graphs.files") / "topic_words.csv") as path:
        table = read_table(path)
    owners: dict[str, tuple[str, ...]] = {}
    for topic, words in zip(table["topic"], table["words"], strict=True):
        for word in words.split():
            owners[word] = (*owners.get(word, ()), topic)
    return owners
