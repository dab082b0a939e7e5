/** Query text, in code points (contract.md 7.7). */
export const queryLengthMin = 2;
export const queryLengthMax = 200;
