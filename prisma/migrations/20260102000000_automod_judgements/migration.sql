-- Grows with every change of the server's filtered words. A message carries the version that its sender saw, so that no
-- process decides by an older list that it still remembers.
ALTER TABLE servers ADD COLUMN automod_words_version integer NOT NULL DEFAULT 0;

-- One act of sending may be judged before the message is stored and again, late, afterwards; it is logged once.
ALTER TABLE automod_logs ADD COLUMN judgement_id uuid;
CREATE UNIQUE INDEX automod_logs_judgement_id_key ON automod_logs (judgement_id);
