-- Words in the language of their message, beside the words as they are written.

-- Letters with their accents, in small, for dictionaries: signs as blanks, as in search_text.
CREATE FUNCTION search_letters(written text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN regexp_replace(lower(normalize(written, NFC) COLLATE pg_unicode_fast),
    '[\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u00a1-\u00bf\u00d7\u00f7\u2010-\u205e\u3000-\u3004\u3008-\u3030]', ' ', 'g');

-- The dictionary of a language; null for languages without one, whose words are found as they are written.
CREATE FUNCTION search_config(language text) RETURNS regconfig LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE language
    WHEN 'en' THEN 'pg_catalog.english'::regconfig WHEN 'de' THEN 'pg_catalog.german'::regconfig
    WHEN 'fr' THEN 'pg_catalog.french'::regconfig WHEN 'es' THEN 'pg_catalog.spanish'::regconfig
    WHEN 'pt' THEN 'pg_catalog.portuguese'::regconfig WHEN 'it' THEN 'pg_catalog.italian'::regconfig
    WHEN 'nl' THEN 'pg_catalog.dutch'::regconfig WHEN 'ru' THEN 'pg_catalog.russian'::regconfig
    WHEN 'tr' THEN 'pg_catalog.turkish'::regconfig WHEN 'ar' THEN 'pg_catalog.arabic'::regconfig
    WHEN 'hy' THEN 'pg_catalog.armenian'::regconfig WHEN 'eu' THEN 'pg_catalog.basque'::regconfig
    WHEN 'ca' THEN 'pg_catalog.catalan'::regconfig WHEN 'da' THEN 'pg_catalog.danish'::regconfig
    WHEN 'et' THEN 'pg_catalog.estonian'::regconfig WHEN 'fi' THEN 'pg_catalog.finnish'::regconfig
    WHEN 'el' THEN 'pg_catalog.greek'::regconfig WHEN 'hi' THEN 'pg_catalog.hindi'::regconfig
    WHEN 'hu' THEN 'pg_catalog.hungarian'::regconfig WHEN 'id' THEN 'pg_catalog.indonesian'::regconfig
    WHEN 'ga' THEN 'pg_catalog.irish'::regconfig WHEN 'lt' THEN 'pg_catalog.lithuanian'::regconfig
    WHEN 'ne' THEN 'pg_catalog.nepali'::regconfig WHEN 'no' THEN 'pg_catalog.norwegian'::regconfig
    WHEN 'ro' THEN 'pg_catalog.romanian'::regconfig WHEN 'sr' THEN 'pg_catalog.serbian'::regconfig
    WHEN 'sv' THEN 'pg_catalog.swedish'::regconfig WHEN 'ta' THEN 'pg_catalog.tamil'::regconfig
    WHEN 'yi' THEN 'pg_catalog.yiddish'::regconfig
  END;

-- The words of a message: as they are written, and the form that the dictionary of its language makes of each, as
-- `de:haus`; both with their places. Without signs and accents search_text and the parser agree, and the first is slow.
CREATE FUNCTION search_words(written text, language text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  config CONSTANT regconfig := search_config(language);
  is_plain CONSTANT boolean := NOT (has_search_text(written) OR written ~* '\mv[0-9]');
  folded CONSTANT text := CASE WHEN is_plain THEN written ELSE search_text(written) END;
  words CONSTANT tsvector := to_tsvector('pg_catalog.simple'::regconfig, folded);
  forms tsvector;
  names text[];
BEGIN
  IF config IS NULL THEN RETURN words; END IF;
  forms := to_tsvector(config, CASE WHEN is_plain THEN folded ELSE search_letters(written) END);
  IF length(forms) = 0 THEN RETURN words; END IF;
  names := tsvector_to_array(forms);
  IF NOT is_plain THEN
    names := array_remove(string_to_array(search_text(array_to_string(names, ' ')), ' '), '');
  END IF;
  -- Letters of a script without blanks among them have become several words.
  IF cardinality(names) <> length(forms) THEN RETURN words; END IF;
  -- A word of a tsvector has 2,046 bytes at most.
  RETURN concat(words::text, ' ', (
    SELECT string_agg(quote_literal(language || ':' || names[place]) || ':' || array_to_string(form.positions, ','), ' ')
    FROM unnest(forms) WITH ORDINALITY AS form (lexeme, positions, weights, place) WHERE octet_length(names[place]) < 1000))::tsvector;
END
$$;

-- What a word or phrase of a query matches: the word as it is written, all of its parts in their order, and the forms that
-- the dictionaries of some languages make of it. Of scripts without blanks, its pairs. For a rank only the forms, if there are
-- any, so that no word counts twice.
CREATE FUNCTION search_term(written text, is_phrase boolean, languages text[], for_rank boolean) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  folded CONSTANT text := search_text(written);
  result tsquery := phraseto_tsquery('pg_catalog.simple'::regconfig, folded);
  inflected tsquery;
  language text;
  forms text[];
  form text;
BEGIN
  IF folded ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]' THEN
    RETURN plainto_tsquery('pg_catalog.simple'::regconfig, folded);
  END IF;
  IF is_phrase OR numnode(result) <> 1 THEN RETURN result; END IF;
  FOREACH language IN ARRAY languages LOOP
    forms := CASE WHEN search_config(language) IS NULL THEN '{}'
      ELSE tsvector_to_array(to_tsvector(search_config(language), search_letters(written))) END;
    form := btrim(search_text(array_to_string(forms, ' ')));
    CONTINUE WHEN form = '' OR form ~ '\s' OR octet_length(form) >= 1000;
    inflected := coalesce(inflected || quote_literal(language || ':' || form)::tsquery, quote_literal(language || ':' || form)::tsquery);
  END LOOP;
  RETURN CASE WHEN inflected IS NULL THEN result WHEN for_rank THEN inflected ELSE result || inflected END;
END
$$;

-- Null in messages of before, which the other indexes find until the reindexing has reached them. New rows have the language
-- of processes of the version before, which do not guess one.
ALTER TABLE messages ADD COLUMN language text;
ALTER TABLE messages ALTER COLUMN language SET DEFAULT 'en';
ALTER TABLE dm_messages ADD COLUMN language text, ADD COLUMN search tsvector;
ALTER TABLE dm_messages ALTER COLUMN language SET DEFAULT 'en';
-- The values of before stay.
ALTER TABLE messages ALTER COLUMN search DROP EXPRESSION;

-- Beside the words, facts about the message that a query may ask for, in few characters: its author and the mentioned by a hash,
-- links, and whether it is a reply. They lead to few rows, which the query compares as a whole.
CREATE FUNCTION search_person(kind text, person uuid) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN kind || to_hex(hashtext(person::text));

CREATE FUNCTION message_search() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  written CONSTANT text := NEW.content || coalesce(' ' || NEW.embed_texts, '');
  facts text[] := ARRAY(SELECT search_person('>', person) FROM unnest(NEW.mention_user_ids) AS person);
BEGIN
  IF NEW.author_id IS NOT NULL THEN facts := facts || search_person('@', NEW.author_id); END IF;
  IF NEW.content ~* 'https?://' THEN facts := facts || ':link'::text; END IF;
  IF NEW.thread_id IS NOT NULL THEN facts := facts || ':thread'::text; END IF;
  NEW.language := coalesce(NEW.language, 'en');
  NEW.search := search_words(written, NEW.language) || array_to_tsvector(facts);
  RETURN NEW;
END
$$;
CREATE TRIGGER messages_search BEFORE INSERT OR UPDATE OF content, embed_texts, language ON messages
  FOR EACH ROW EXECUTE FUNCTION message_search();

CREATE FUNCTION dm_message_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.language := coalesce(NEW.language, 'en');
  NEW.search := search_words(NEW.content, NEW.language);
  IF NEW.author_id IS NOT NULL THEN NEW.search := NEW.search || array_to_tsvector(ARRAY[search_person('@', NEW.author_id)]); END IF;
  IF NEW.content ~* 'https?://' THEN NEW.search := NEW.search || array_to_tsvector(ARRAY[':link']); END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER dm_messages_search BEFORE INSERT OR UPDATE OF content, language ON dm_messages
  FOR EACH ROW EXECUTE FUNCTION dm_message_search();

CREATE INDEX dm_messages_words_idx ON dm_messages USING gin (channel_id, search)
  WITH (gin_pending_list_limit = 512) WHERE language IS NOT NULL;

-- How far the messages of before have got their words.
CREATE TABLE search_reindexing (
  id          integer        NOT NULL DEFAULT 1,
  -- Behind these messages all have them; the newest are done first.
  position    uuid,
  dm_position uuid,
  done        bigint         NOT NULL DEFAULT 0,
  total       bigint         NOT NULL,
  paused      boolean        NOT NULL DEFAULT false,
  started_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at timestamptz(3),
  CONSTRAINT search_reindexing_pkey PRIMARY KEY (id),
  CONSTRAINT search_reindexing_id_check CHECK (id = 1)
);
INSERT INTO search_reindexing (total)
  SELECT greatest(sum(reltuples), 0)::bigint FROM pg_class WHERE oid IN ('messages'::regclass, 'dm_messages'::regclass);

-- Ends the reindexing: nothing reads the indexes of before any more. Services own no tables, hence the rights of this function's owner.
CREATE FUNCTION end_search_reindexing() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
BEGIN
  DROP INDEX IF EXISTS messages_embed_search_idx, messages_search_text_idx, dm_messages_search_idx, dm_messages_search_text_idx;
  UPDATE search_reindexing SET finished_at = now(), done = greatest(done, total), total = greatest(done, total) WHERE finished_at IS NULL;
END
$$;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM messages) AND NOT EXISTS (SELECT FROM dm_messages) THEN PERFORM end_search_reindexing(); END IF;
END
$$;
