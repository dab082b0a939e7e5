/**
 * SQL that folds the case of a name fully, as names are compared (docs/protocol/requests.md#1.3): `ß` is `ss`, and all sigmas are
 * one. It compares in the order of bytes, as indexes of beginnings need it.
 *
 * @param text SQL of a text in NFC, as names are stored
 */
export const foldedName = (text: string): string => `(casefold(${text} COLLATE pg_unicode_fast) COLLATE "C")`;
