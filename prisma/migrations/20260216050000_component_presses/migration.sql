-- The message whose component was pressed (docs/interface.md#25.3), in the channel or for the invoker alone.
ALTER TABLE interactions ADD COLUMN pressed_id uuid;
-- Messages for the invoker alone stand in `answer`; their components can be pressed, too.
CREATE INDEX interactions_ephemeral_idx ON interactions ((answer -> 'message' ->> 'id'))
  WHERE (answer -> 'message' ->> 'id') IS NOT NULL;
