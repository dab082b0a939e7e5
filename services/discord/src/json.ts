const textOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const isRounded = (token: string) => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));

/**
 * Parses JSON in which a library of another language may have written snowflakes as numbers: those become texts.
 *
 * @throws SyntaxError
 */
export const parseJson = (text: string): unknown =>
  JSON.parse(text.replace(textOrNumber, (token) => (isRounded(token) ? `"${token}"` : token)));
