-- While registration is by invitation, it uses up the invite before the membership, which would find it used up.
ALTER TABLE users ADD COLUMN registered_with uuid;
