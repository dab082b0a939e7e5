-- Rules of auto-moderation that servers make (docs/interface.md#24.8).
CREATE TABLE automod_rules (
  id                 uuid           NOT NULL DEFAULT uuidv7(),
  server_id          uuid           NOT NULL,
  name               text           NOT NULL,
  enabled            boolean        NOT NULL DEFAULT true,
  trigger            jsonb          NOT NULL,
  actions            jsonb          NOT NULL,
  exempt_role_ids    uuid[]         NOT NULL DEFAULT ARRAY[]::uuid[],
  exempt_channel_ids uuid[]         NOT NULL DEFAULT ARRAY[]::uuid[],
  word_count         integer        NOT NULL DEFAULT 0,
  pattern_sizes      integer[]      NOT NULL DEFAULT ARRAY[]::integer[],
  created_by         uuid,
  created_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT automod_rules_pkey PRIMARY KEY (id),
  CONSTRAINT automod_rules_name_check CHECK (char_length(name) BETWEEN 1 AND 100),
  CONSTRAINT automod_rules_trigger_check CHECK (jsonb_typeof(trigger) = 'object' AND trigger ->> 'type' IS NOT NULL),
  CONSTRAINT automod_rules_actions_check CHECK (jsonb_typeof(actions) = 'array' AND jsonb_array_length(actions) BETWEEN 1 AND 3),
  CONSTRAINT automod_rules_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT automod_rules_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id)
    ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX automod_rules_server_id_id_idx ON automod_rules (server_id, id);
CREATE INDEX automod_rules_created_by_idx ON automod_rules (created_by);

-- The version grows with every change of the rules, so that no process decides by older ones that it still remembers.
-- The triggers of the enabled rules stand beside it: a server without rules costs a message nothing.
ALTER TABLE servers
  ADD COLUMN automod_rules_version integer NOT NULL DEFAULT 0,
  ADD COLUMN automod_rule_types    text[]  NOT NULL DEFAULT ARRAY[]::text[];

-- Entries of these rules name the rule, whose row may be gone. One message may match several rules, each of which is
-- logged once; of the rules of docs/interface.md#11.2 one entry is made, as before.
ALTER TABLE automod_logs
  ADD COLUMN rule_id uuid,
  DROP CONSTRAINT automod_logs_rule_type_check,
  DROP CONSTRAINT automod_logs_action_taken_check,
  DROP CONSTRAINT automod_logs_matched_term_check,
  ADD CONSTRAINT automod_logs_rule_type_check CHECK (CASE WHEN rule_id IS NULL
    THEN rule_type IN ('spam', 'duplicate', 'word_filter')
    ELSE rule_type IN ('words', 'regex', 'links', 'invites', 'mentions', 'repetition', 'attachments', 'caps', 'name') END),
  ADD CONSTRAINT automod_logs_action_taken_check CHECK (action_taken IN ('delete', 'timeout', 'kick', 'ban')
    OR rule_id IS NOT NULL AND action_taken IN ('block', 'flag')),
  ADD CONSTRAINT automod_logs_matched_term_check
    CHECK (rule_type = 'word_filter' OR rule_id IS NOT NULL OR matched_term IS NULL);
DROP INDEX automod_logs_message_id_key;
CREATE UNIQUE INDEX automod_logs_message_id_key ON automod_logs (message_id) WHERE rule_id IS NULL;
DROP INDEX automod_logs_judgement_id_key;
CREATE UNIQUE INDEX automod_logs_judgement_id_key ON automod_logs (judgement_id, rule_id) NULLS NOT DISTINCT
  WHERE judgement_id IS NOT NULL;
