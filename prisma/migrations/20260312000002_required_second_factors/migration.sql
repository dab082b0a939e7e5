-- Members of such a server moderate with a second factor or a passkey only.
ALTER TABLE servers ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false;
