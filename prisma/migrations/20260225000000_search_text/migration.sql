-- What a person sees as words, for the indexes as for the queries: letters without case and accents, signs as blanks; of
-- scripts without blanks each character and each pair of neighbours. Indexes have what these functions answer: another rule
-- is other functions, with indexes of their own.
CREATE FUNCTION search_text(written text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  -- Thai, Lao, Burmese, Khmer, Chinese, Japanese and Korean.
  dense CONSTANT text := '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff';
  folded text;
BEGIN
  -- Accents, vowel signs of Hebrew and Arabic, and what is not seen. What is left of a letter in parts is put together again.
  folded := normalize(regexp_replace(normalize(written, NFKD),
    '[\u00ad\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]', '', 'g'), NFC);
  folded := casefold(folded COLLATE pg_unicode_fast);
  -- The English dictionary leaves out both halves of "don't", and knows "dont".
  folded := regexp_replace(folded, 'n[''\u2019]t\M', 'nt', 'g');
  -- The number of a version without its letter.
  folded := regexp_replace(folded, '\mv([0-9])', 'v \1', 'g');
  folded := regexp_replace(folded, '[\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u00a1-\u00bf\u00d7\u00f7\u2010-\u205e\u3000-\u3004\u3008-\u3030]', ' ', 'g');
  IF folded !~ ('[' || dense || ']') THEN
    RETURN folded;
  END IF;
  RETURN concat_ws(' ',
    regexp_replace(folded, '([' || dense || '])', ' \1 ', 'g'),
    regexp_replace(folded, '([' || dense || ']{2})', ' \1 ', 'g'),
    -- The pairs that begin between those.
    regexp_replace(regexp_replace(folded, '(^|[^' || dense || '])([' || dense || '])', '\1\2 ', 'g'),
      '([' || dense || ']{2})', ' \1 ', 'g'));
END
$$;

-- Whether a text has words that only search_text finds. What it has of the others, the English parser finds as well.
CREATE FUNCTION has_search_text(written text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN written ~ '[^\u0001-\u007f]|[''/_:@#&=+<\\-]|[.?][^[:space:]]';
