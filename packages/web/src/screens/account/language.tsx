import { languageChoiceOf } from "../../device/schemas.js";
import { languages } from "../../texts/languages.js";
import { texts } from "../../texts/texts.js";
import { useAction } from "../../ui/data/use-action.js";
import { Choice } from "../../ui/forms/field.js";
import { useLanguageChoice } from "../../ui/look/use-language.js";

/** The language of the page in this browser. */
export function LanguageField() {
  const labels = texts.account.appearance;
  const [choice, setChoice] = useLanguageChoice();
  const change = useAction(setChoice);
  return (
    <Choice
      label={labels.language}
      error={change.error}
      value={choice}
      onChange={(event) => void change.run(languageChoiceOf(event.currentTarget.value))}
    >
      <option value="browser">{labels.languageOfBrowser}</option>
      {Object.entries(languages).map(([code, { name }]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </Choice>
  );
}
