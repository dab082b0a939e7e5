/** A name inside a sentence, kept from changing the order of the words around it when its own letters run the other way. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
