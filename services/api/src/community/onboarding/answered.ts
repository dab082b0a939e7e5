import { errorTexts, invalidInput, type Onboarding, type OnboardingOption } from "@parley/contracts";
import type { Answers } from "./schema.js";

/**
 * The options that answers choose.
 *
 * @throws ServiceError 400 with the path of an unknown question or option, of too many options, and of a missing answer
 */
export function chosenOptions({ questions }: Pick<Onboarding, "questions">, answers: Answers): OnboardingOption[] {
  const known = new Set(questions.map(({ id }) => id));
  for (const id of Object.keys(answers)) if (!known.has(id)) throw refused(id);
  return questions.flatMap(({ id, single, required, options }) => {
    const given = new Set(answers[id] ?? []);
    if (required && given.size === 0) throw invalidInput(errorTexts.field_required(`answers.${id}`));
    if (single && given.size > 1) throw refused(id);
    const chosen = options.filter((option) => given.has(option.id));
    if (chosen.length < given.size) throw refused(id);
    return chosen;
  });
}

const refused = (questionId: string) => invalidInput(errorTexts.field_invalid(`answers.${questionId}`));
