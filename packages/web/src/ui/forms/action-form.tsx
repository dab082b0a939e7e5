import type { ReactNode } from "react";
import { ErrorNote } from "../data/async-content.js";
import { onForm } from "../data/form.js";
import type { Action } from "../data/use-action.js";
import { Button } from "../look/button.js";

/** A form that adds something: a failure stands above its button, and it is empty again after a success. */
export function ActionForm({
  action,
  submit,
  kind = "primary",
  children,
}: {
  action: Action<[FormData]>;
  /** Text of the button. */
  submit: string;
  kind?: "primary" | "quiet";
  children: ReactNode;
}) {
  return (
    <form
      onSubmit={onForm(async (form, element) => {
        if (await action.run(form)) element.reset();
      })}
    >
      {children}
      <ErrorNote error={action.error} />
      <Button type="submit" kind={kind} disabled={action.isBusy}>
        {submit}
      </Button>
    </form>
  );
}
