-- From version 3 of the ledger to version 4: its tables step aside, for those of version 4 to be made and filled from them. It stands within
-- a transaction. Foreign keys are not enforced meanwhile.

DROP TRIGGER ledger_stays;
DROP TRIGGER entry_stays;
DROP TRIGGER charge_stays;
DROP TRIGGER release_stays;
DROP TRIGGER balance_stays;
DROP TRIGGER ledger_is_kept;
DROP TRIGGER entry_is_kept;
DROP TRIGGER charge_is_kept;
DROP TRIGGER release_is_kept;
DROP TRIGGER balance_grows;
DROP TRIGGER audit_event_stays;
DROP TRIGGER audit_answer_stays;
DROP TRIGGER audit_event_is_kept;
DROP TRIGGER audit_answer_is_kept;
DROP TRIGGER audit_event_follows;
DROP TRIGGER audit_answer_is_of_the_last;
DROP INDEX charge_of_entry;
DROP INDEX charge_of_question;
ALTER TABLE ledger       RENAME TO former_ledger;
ALTER TABLE entry        RENAME TO former_entry;
ALTER TABLE charge       RENAME TO former_charge;
ALTER TABLE release      RENAME TO former_release;
ALTER TABLE balance      RENAME TO former_balance;
ALTER TABLE audit_event  RENAME TO former_event;
ALTER TABLE audit_answer RENAME TO former_answer;
