"""Topics of texts: the packaged classifier, measured on sentences that it was not made for."""

from __future__ import annotations

import pytest

from anonopt.graphs import TOPIC_NAMES, KeywordClassifier, most_frequent_topics

SENTENCES = {
    "Business_Finance": [
        "The central bank raised interest rates for the third time this year",
        "Shares of the car maker fell after weak quarterly earnings",
        "Two supermarket chains announced a merger worth nine billion",
    ],
    "Disaster_Accident": [
        "At least forty people died when a ferry sank off the coast",
        "A magnitude seven earthquake left hundreds trapped under rubble",
        "The train derailed near the bridge and several coaches caught fire",
    ],
    "Education": [
        "Pupils return to the classroom after the long holidays",
        "The university will offer scholarships to first-year students",
        "Teachers say the new curriculum leaves no time for reading",
    ],
    "Entertainment_Culture": [
        "Her second novel won the prize for best fiction",
        "The band will play its new album at the festival tonight",
        "Just watched the director's cut, what a movie",
    ],
    "Environment": [
        "Carbon emissions must halve by the end of the decade",
        "Volunteers planted ten thousand trees to restore the forest",
        "Plastic in the ocean threatens endangered turtles",
    ],
    "Health_Medical_Pharma": [
        "Doctors warn that the flu season will be worse than usual",
        "A trial of the new cancer drug showed promising results",
        "Eating more vegetables lowers the risk of heart disease",
    ],
    "Hospitality_Recreation": [
        "We stayed at a small hotel right by the beach",
        "Best pasta recipe ever, tried it for dinner yesterday",
        "Cheap flights to Lisbon for a weekend trip",
    ],
    "Human Interest": [
        "Lost dog walks thirty miles to find its family",
        "Grandmother celebrates her hundredth birthday with a parachute jump",
        "Twins separated as babies meet after fifty years",
    ],
    "Labor": [
        "Bus drivers walk out over pay and working hours",
        "The union called a strike at the factory next week",
        "Unemployment fell to its lowest level in ten years",
    ],
    "Law_Crime": [
        "Police arrested two men after the jewellery robbery",
        "The jury found him guilty of fraud on all counts",
        "A judge ordered the suspect to remain in custody",
    ],
    "Politics": [
        "The prime minister called an early election",
        "Senators voted against the president's nominee",
        "Opposition parties demand a debate on the treaty",
    ],
    "Religion_Belief": [
        "Thousands gathered at the mosque for evening prayers",
        "The pope will visit the cathedral on Easter Sunday",
        "Monks walked barefoot to the temple at dawn",
    ],
    "Social Issues": [
        "Campaigners march for equal pay and women's rights",
        "More families are sleeping rough as rents climb",
        "The charity fights discrimination against refugees",
    ],
    "Sports": [
        "The striker scored twice in the second half",
        "She won the marathon in a record time",
        "Coach says the team is ready for the semifinal",
    ],
    "Technology_Internet": [
        "The new smartphone has a faster chip and a better camera",
        "Hackers leaked millions of passwords from the website",
        "I finally rewrote the app in another programming language",
    ],
    "Weather": [
        "Heavy snow and strong winds are expected overnight",
        "Sunny with a high of twenty-five degrees tomorrow",
        "Another grey and foggy morning, it will not stop raining",
    ],
    "War_Conflict": [
        "Rebels shelled the town as soldiers retreated",
        "Both armies agreed to a ceasefire after weeks of fighting",
        "An airstrike hit a convoy near the border",
    ],
    "Other": ["Hmm, not sure about that", "Good morning everyone!", "Wait for it"],
}
"""Three sentences a topic, written apart from the word lists and not used to change them."""


def first_topic(sentence: str) -> str:
    return (KeywordClassifier().topics(sentence) or ["Other"])[0]


def test_there_are_18_topics():
    assert len(set(TOPIC_NAMES)) == 18
    assert set(SENTENCES) == set(TOPIC_NAMES)


def test_quality_on_sentences_it_was_not_made_for():
    # The docstring of the class and docs/social_graphs.md tell this number as well.
    pairs = [(topic, s) for topic, sentences in SENTENCES.items() for s in sentences]
    right = [first_topic(sentence) == topic for topic, sentence in pairs]
    assert len(pairs) == 54
    assert sum(right) == 51


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("GOALS! goals? goal", ["Sports"]),
        ("Teachers' union: strike at the school", ["Education", "Labor"]),
        ("xyzzy 123 !!", []),
    ],
)
def test_words_are_counted(text, expected):
    assert KeywordClassifier().topics(text) == expected


def test_a_word_of_two_topics_counts_half_for_each():
    assert KeywordClassifier().scores("casualty") == {
        "Disaster_Accident": 0.5,
        "War_Conflict": 0.5,
    }


def test_most_frequent_topics_of_many_texts():
    texts = ["goal", "goal", "parliament", "", "rainy", "election"]
    found = most_frequent_topics(texts, KeywordClassifier())
    assert found == ["Sports", "Politics", "Weather"]
    assert most_frequent_topics([], KeywordClassifier(), n_topics=2) == ["Other", "Other"]
