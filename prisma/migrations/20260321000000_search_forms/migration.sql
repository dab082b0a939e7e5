-- Forms of words are marked by their weight instead of the code of their language, so that one expression makes a message's words:
-- to write each word with its code and read that again took longer than all else. As a form has the same letters as most words,
-- the index is smaller, too.

-- As before, without STRICT: so PostgreSQL writes it into the expression that calls it.
CREATE OR REPLACE FUNCTION search_config(language text) RETURNS regconfig LANGUAGE sql IMMUTABLE PARALLEL SAFE
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

-- Names that end or begin with signs, in small: `C++` (also in `C++17`), `F#`, `.NET`. Their parts are words, too.
CREATE FUNCTION search_names(written text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ARRAY(SELECT DISTINCT lower(name[1]) FROM regexp_matches(written,
    '(?<![[:alnum:]_])([a-zA-Z0-9]{1,30}(?:\+\+|[+#](?![[:alnum:]_+#])))|(?<![[:alnum:]_.])(\.[a-zA-Z][a-zA-Z0-9]{0,30})(?![[:alnum:]_])', 'g') AS found,
    LATERAL (SELECT ARRAY[coalesce(found[1], found[2])]) AS either (name));

-- The words of a message: as they are written; with weight A the forms that the dictionary of its language makes of them; and
-- the code of the language. Without signs and accents the parser finds what it finds in search_text, which is slow.
CREATE OR REPLACE FUNCTION search_words(written text, language text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  config CONSTANT regconfig := search_config(language);
  words tsvector;
  forms tsvector;
  unfolded text;
  folded text;
  names text[];
BEGIN
  IF written !~ '[^\u0001-\u007f]|[''/_:@#&=+<\\-]|[.?][^[:space:]]|\m[vV][0-9]' THEN
    words := to_tsvector('pg_catalog.simple'::regconfig, written);
    RETURN CASE WHEN config IS NULL THEN words
      ELSE words || setweight(to_tsvector(config, written), 'A') || array_to_tsvector(ARRAY[':' || language]) END;
  END IF;
  words := to_tsvector('pg_catalog.simple'::regconfig, search_text(written));
  IF written ~ '[a-zA-Z0-9][+#]|\.[a-zA-Z]' THEN words := words || array_to_tsvector(search_names(written)); END IF;
  IF config IS NULL THEN RETURN words; END IF;
  forms := to_tsvector(config, search_letters(written));
  unfolded := forms::text;
  IF unfolded ~ '[^\u0001-\u007f]' THEN
    -- Latin, Greek, Cyrillic and Arabic letters are folded in one, unless a word becomes longer or nothing.
    folded := CASE WHEN unfolded !~ '[^\u0001-\u06ff]' THEN casefold(normalize(regexp_replace(normalize(unfolded, NFKD),
      '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]', '', 'g'), NFC) COLLATE pg_unicode_fast) END;
    IF octet_length(folded) <= octet_length(unfolded) AND strpos(folded, '''''') = 0 THEN
      forms := folded::tsvector;
    ELSE
      names := array_remove(string_to_array(search_text(array_to_string(tsvector_to_array(forms), ' ')), ' '), '');
      -- Letters of a script without blanks among them have become several words.
      IF cardinality(names) <> length(forms) THEN RETURN words; END IF;
      -- A word of a tsvector has 2,046 bytes at most.
      forms := (SELECT string_agg(concat('''', names[place], ''':', array_to_string(form.positions, ',')), ' ')
        FROM unnest(forms) WITH ORDINALITY AS form (lexeme, positions, weights, place) WHERE octet_length(names[place]) < 1000)::tsvector;
    END IF;
  END IF;
  RETURN words || setweight(coalesce(forms, ''), 'A') || array_to_tsvector(ARRAY[':' || language]);
END
$$;

-- What a word or phrase of a query matches: the word as it is written, all of its parts in their order with the names among them,
-- and the forms that the dictionaries of some languages make of it. Of scripts without blanks, its pairs.
-- `indexed` is what the index knows of that, which has no weights and no places: it finds all of `words`, and more.
-- `rank` has only the forms, if there are any, so that no word counts twice.
CREATE FUNCTION search_query(written text, is_phrase boolean, languages text[], OUT words tsquery, OUT indexed tsquery, OUT rank tsquery)
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  folded CONSTANT text := search_text(written);
  name text;
  language text;
  form text;
BEGIN
  indexed := plainto_tsquery('pg_catalog.simple'::regconfig, folded);
  words := CASE WHEN folded ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]'
    THEN indexed ELSE phraseto_tsquery('pg_catalog.simple'::regconfig, folded) END;
  -- D is the weight of words that have none.
  words := regexp_replace(words::text, '(''[^'']+'')', '\1:D', 'g')::tsquery;
  rank := NULL;
  IF NOT is_phrase AND numnode(words) = 1 THEN
    FOREACH language IN ARRAY languages LOOP
      form := CASE WHEN search_config(language) IS NOT NULL
        THEN btrim(search_text(array_to_string(tsvector_to_array(to_tsvector(search_config(language), search_letters(written))), ' '))) END;
      CONTINUE WHEN form IS NULL OR form = '' OR form ~ '\s' OR octet_length(form) >= 1000;
      rank := coalesce(rank || concat('''', form, ''':A')::tsquery, concat('''', form, ''':A')::tsquery);
      words := words || concat('''', form, ''':A & ', quote_literal(':' || language))::tsquery;
      indexed := indexed || concat('''', form, '''')::tsquery;
    END LOOP;
  END IF;
  rank := coalesce(rank, words);
  FOREACH name IN ARRAY search_names(written) LOOP
    words := words && quote_literal(name)::tsquery;
    indexed := indexed && quote_literal(name)::tsquery;
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION message_search() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  facts text[] := '{}';
BEGIN
  IF NEW.author_id IS NOT NULL THEN facts := facts || search_person('@', NEW.author_id); END IF;
  IF NEW.mention_user_ids <> '{}' THEN
    facts := facts || ARRAY(SELECT search_person('>', person) FROM unnest(NEW.mention_user_ids) AS person);
  END IF;
  IF strpos(NEW.content, '://') > 0 AND NEW.content ~* 'https?://' THEN facts := facts || ':link'::text; END IF;
  IF NEW.thread_id IS NOT NULL THEN facts := facts || ':thread'::text; END IF;
  NEW.language := coalesce(NEW.language, 'en');
  NEW.search := search_words(CASE WHEN NEW.embed_texts IS NULL THEN NEW.content ELSE NEW.content || ' ' || NEW.embed_texts END, NEW.language)
    || array_to_tsvector(facts);
  RETURN NEW;
END
$$;

-- Messages with the words of before have no code of their language; the job gives them new ones, too.
ALTER TABLE search_reindexing ADD COLUMN again boolean NOT NULL DEFAULT false;
UPDATE search_reindexing SET again = true, position = NULL, dm_position = NULL, done = 0 WHERE EXISTS (SELECT FROM messages) OR EXISTS (SELECT FROM dm_messages);
