-- Members are found by the beginning of a name and listed in the order in which they joined. No index of one of the two
-- gives a page of the other: few may have the name, or many who joined late. So a server's members are divided into
-- blocks of about 1,000 who joined one after another, and an index has the names of each block: a page reads one range
-- of it for each block until it is full.

ALTER TABLE members
  -- the account's name in lower case; a copy, since an index has columns of one table
  ADD COLUMN username_lower text COLLATE "C" NOT NULL DEFAULT '',
  -- never descends in the order of (joined_at, user_id); a block is the number without its last 10 bits
  ADD COLUMN join_order integer NOT NULL DEFAULT 0;

-- Whoever comes last gets the number after that of the last one; the few whose transaction began before that of the last
-- one share the number of whoever is before them. The services lock the server before, so that one joins at a time; a
-- lock here would be taken row by row, and two statements with several servers could deadlock.
CREATE FUNCTION members_place() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before integer;
  is_last boolean;
BEGIN
  SELECT join_order INTO before FROM members
    WHERE server_id = NEW.server_id AND (joined_at, user_id) < (NEW.joined_at, NEW.user_id)
    ORDER BY joined_at DESC, user_id DESC LIMIT 1;
  SELECT join_order INTO NEW.join_order FROM members
    WHERE server_id = NEW.server_id AND (joined_at, user_id) > (NEW.joined_at, NEW.user_id)
    ORDER BY joined_at, user_id LIMIT 1;
  is_last := NOT FOUND;
  NEW.join_order := CASE WHEN is_last THEN coalesce(before + 1, 0) ELSE coalesce(before, NEW.join_order) END;
  -- Locked against a concurrent change of the name. Without an account the foreign key fails.
  SELECT lower(username) INTO NEW.username_lower FROM users WHERE id = NEW.user_id FOR KEY SHARE;
  NEW.username_lower := coalesce(NEW.username_lower, '');
  RETURN NEW;
END $$;
CREATE TRIGGER members_place_insert BEFORE INSERT ON members FOR EACH ROW EXECUTE FUNCTION members_place();

CREATE FUNCTION users_member_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE members SET username_lower = lower(NEW.username) WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_member_names_update AFTER UPDATE OF username ON users FOR EACH ROW
  EXECUTE FUNCTION users_member_names();
