"""records: the repeated records of a page, found once, before the choice of its content.

Consumes a page. Produces :class:`~blocksight.records.candidates.RecordCandidates`, and by the content that is chosen
:class:`~blocksight.records.decided_records.DecidedRecords`.
"""
