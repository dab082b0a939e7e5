-- The account session that named the device, with whose end its subscription goes; null for tokens without one, such as those of bots.
ALTER TABLE push_subscriptions ADD COLUMN session_id uuid;
