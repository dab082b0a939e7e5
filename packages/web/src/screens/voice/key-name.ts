/** The readable name of a `KeyboardEvent.code`: "V" for "KeyV", "Control Right" for "ControlRight". */
export const keyName = (code: string): string =>
  code.replace(/^(?:Key|Digit)(?=.$)/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ");
