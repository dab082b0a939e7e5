// Without schemas, so that the web application can use them.

/** People in a group, the caller included (docs/protocol/conversations.md#28.2). */
export const groupPeopleMax = 10;
/** Longest name of a group, in code points. */
export const groupNameLengthMax = 100;
