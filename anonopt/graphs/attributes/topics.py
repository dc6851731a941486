"""Topics of interest, given or found in what somebody wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

TOPIC_NAMES = (
    "Business_Finance",
    "Disaster_Accident",
    "Education",
    "Entertainment_Culture",
    "Environment",
    "Health_Medical_Pharma",
    "Hospitality_Recreation",
    "Human Interest",
    "Labor",
    "Law_Crime",
    "Politics",
    "Religion_Belief",
    "Social Issues",
    "Sports",
    "Technology_Internet",
    "Weather",
    "War_Conflict",
    "Other",
)
"""The 18 topics of Mares 2013, Section 6.1."""

OTHER = "Other"
"""Topic of texts that have none of the others."""


class TopicClassifier(Protocol):
    """What finds topics in a text; any object with this method will do."""

    def topics(self, text: str) -> list[str]:
        """Topics of one text, the surest first; empty if none was found."""
        ...


def most_frequent_topics(
    texts: Iterable[str], classifier: TopicClassifier, *, n_topics: int = 3
) -> list[str]:
    """Topics somebody writes about most (Mares 2013, Section 6.1).

    Parameters
    ----------
    texts : iterable of str
    classifier : TopicClassifier
    n_topics : int

    Returns
    -------
    list of str, (n_topics,)
        The most frequent first, ties by first appearance; filled with ``Other`` where fewer
        were found.

    Examples
    --------
    >>> from anonopt.graphs import KeywordClassifier
    >>> texts = ["The striker scored a late goal", "A goal and a red card in the match",
    ...          "Parliament votes on the budget bill"]
    >>> most_frequent_topics(texts, KeywordClassifier())
    ['Sports', 'Politics', 'Other']
    """
    counts = Counter(topic for text in texts for topic in dict.fromkeys(classifier.topics(text)))
    found = [topic for topic, _ in counts.most_common(n_topics)]
    return found + [OTHER] * (n_topics - len(found))
