-- A failover that loses commits takes a counter back, and the next change gives a number out again for other content, which
-- gateways then believe to know. A random number does not come again; it differs from the one before in any case.
CREATE FUNCTION next_structure_version(version integer) RETURNS integer LANGUAGE sql VOLATILE AS $$
  SELECT ((version::bigint + 1 + floor(random() * 2147483646)::bigint) % 2147483648)::integer;
$$;

CREATE OR REPLACE FUNCTION servers_structure_changed(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM servers WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE servers SET structure_version = next_structure_version(structure_version) WHERE id = ANY (ids);
END $$;

CREATE OR REPLACE FUNCTION servers_structure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.structure_version := next_structure_version(OLD.structure_version);
  RETURN NEW;
END $$;
