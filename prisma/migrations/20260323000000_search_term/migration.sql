-- Nothing calls it any more: search_query has taken its place.
DROP FUNCTION search_term(text, boolean, text[], boolean);
