// The quote at the end may be missing: a broken text is read once, and not once from each of its quotes.
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const isRounded = (token: string) => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));

/**
 * Parses JSON in which a library of another language may have written snowflakes as numbers: those become texts.
 *
 * @throws SyntaxError
 */
export const parseJson = (text: string): unknown =>
  JSON.parse(text.replace(textOrNumber, (token) => (isRounded(token) ? `"${token}"` : token)));

const timeKeys =
  "(?:(?:edited_|archive_|create_|join_|last_pin_)?timestamp|(?:joined|pinned|created|expires)_at|communication_disabled_until|scheduled_(?:start|end)_time|expiry|new_value)";
/** The `Z` of a time. In a text quotes are escaped, so that a text which looks like a time's key and value stays. */
const zuluOfTime = new RegExp(`(?<="${timeKeys}":"\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,15})Z(?=")`, "g");

/** JSON for clients. Times end in `+00:00` as Discord's do: discord.py on Python below 3.11 reads no other form. */
export const writeJson = (value: unknown): string => JSON.stringify(value).replace(zuluOfTime, "+00:00");
