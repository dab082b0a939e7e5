-- A reset of the password ends connections with the sign-in provider that somebody made, not the one that the account was made by
-- (docs/interface.md#29.3). Accounts without a password were made by theirs.
ALTER TABLE oidc_identities ADD COLUMN made_account boolean NOT NULL DEFAULT false;
UPDATE oidc_identities i SET made_account = true FROM users u WHERE u.id = i.user_id AND u.password_hash IS NULL;
