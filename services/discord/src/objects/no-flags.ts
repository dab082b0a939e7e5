/** No flag set, of whatever kind: the types of Discord's flags name single ones only. */
export const noFlags = 0 as never;
