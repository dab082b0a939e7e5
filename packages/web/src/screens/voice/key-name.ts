/** What a person reads for a `KeyboardEvent.code`: "V" for "KeyV", "Control Right" for "ControlRight". */
export const keyName = (code: string): string =>
  code.replace(/^(?:Key|Digit)(?=.$)/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ");
