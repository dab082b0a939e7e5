import { type Forms, pluralsOf } from "../grammar/plurals.js";

const plural = pluralsOf<Intl.LDMLPluralRule>("ar-u-nu-latn");

/** A number with its noun: none, one, two, few (3 to 10), many (11 to 99), and other (100, 101, 102 and so on). */
export const counted = (count: number, forms: Forms<Intl.LDMLPluralRule>): string => plural(count, forms);

const nouns = {
  server: {
    zero: "لا خوادم",
    one: "خادم واحد",
    two: "خادمان",
    few: "# خوادم",
    many: "# خادمًا",
    other: "# خادم",
  },
  message: {
    zero: "لا رسائل",
    one: "رسالة واحدة",
    two: "رسالتان",
    few: "# رسائل",
    many: "# رسالة",
    other: "# رسالة",
  },
  member: {
    zero: "لا أعضاء",
    one: "عضو واحد",
    two: "عضوان",
    few: "# أعضاء",
    many: "# عضوًا",
    other: "# عضو",
  },
  day: {
    zero: "0 يوم",
    one: "يوم واحد",
    two: "يومان",
    few: "# أيام",
    many: "# يومًا",
    other: "# يوم",
  },
  /** After a preposition. */
  ofDay: {
    zero: "0 يوم",
    one: "يوم واحد",
    two: "يومين",
    few: "# أيام",
    many: "# يومًا",
    other: "# يوم",
  },
} as const satisfies Record<string, Forms<Intl.LDMLPluralRule>>;

/** The same for nouns of several places. */
export const countedNoun = (count: number, noun: keyof typeof nouns): string => plural(count, nouns[noun]);

/** A number alone. */
export const number = (count: number): string =>
  plural(count, { zero: "#", one: "#", two: "#", few: "#", many: "#", other: "#" });
