/** The forms that a counted text has in a language with these categories; "#" stands for the number. */
export type Forms<Category extends Intl.LDMLPluralRule> = Readonly<Record<Category | "other", string>>;

/**
 * Returns for a language the function that puts a number into the form which its plural rules ask for: in English two,
 * in Arabic six.
 *
 * @param locale of the rules, and of the number's digits and separators
 */
export function pluralsOf<Category extends Intl.LDMLPluralRule>(locale: string) {
  let rules: Intl.PluralRules | null = null;
  let numbers: Intl.NumberFormat | null = null;
  return (count: number, forms: Forms<Category>): string => {
    rules ??= new Intl.PluralRules(locale);
    numbers ??= new Intl.NumberFormat(locale);
    const known: Partial<Record<Intl.LDMLPluralRule, string>> = forms;
    return (known[rules.select(count)] ?? forms.other).replace("#", numbers.format(count));
  };
}
