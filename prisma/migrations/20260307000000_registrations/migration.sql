-- Accounts that cannot log in yet: until their address is confirmed, where `confirm_by` says by when, and until an administrator
-- has approved them, where they have a state. A row goes with the approval, or stays once the address is confirmed.
CREATE TABLE registrations (
  user_id     uuid NOT NULL,
  confirm_by  timestamptz(3),
  state       text,
  application text,
  network     text NOT NULL,
  language    text NOT NULL,
  reason      text,
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  decided_at  timestamptz(3),
  CONSTRAINT registrations_pkey PRIMARY KEY (user_id),
  CONSTRAINT registrations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT registrations_state_check CHECK (state IN ('pending', 'declined')),
  CONSTRAINT registrations_decided_check CHECK ((state = 'declined') IS NOT TRUE OR decided_at IS NOT NULL)
);
CREATE INDEX registrations_state_created_at_user_id_idx ON registrations (state, created_at DESC, user_id DESC);
