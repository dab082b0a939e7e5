-- Nicknames can be set (docs/interface.md#28.4).
ALTER TABLE members ADD CONSTRAINT members_nickname_check CHECK (char_length(nickname) BETWEEN 1 AND 32) NOT VALID;
ALTER TABLE members VALIDATE CONSTRAINT members_nickname_check;
