import { modalLimits } from "@parley/contracts";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { nameIn } from "../../state/people/names.js";
import type { Modal, OpenModal } from "../../state/store/app-state.js";
import { texts } from "../../texts/texts.js";
import { textOf } from "../../ui/data/form.js";
import { TextArea, TextField } from "../../ui/forms/field.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { type Faults, lengthFault, useFaultyForm } from "./faults.js";
import { FormEnd } from "./form-end.js";

/** A form that a bot asks for. */
export function ModalDialog({ open }: { open: OpenModal }) {
  const { interactionId, asked, modal } = open;
  const { interactions } = useApp();
  const botName = useAppState((state) =>
    nameIn(state, state.channels[asked.channelId]?.server_id ?? null, asked.botUserId),
  );
  const close = () => interactions.closeModal(open);
  const { ref, onSubmit, faults, error, isBusy } = useFaultyForm({
    root: "fields",
    names: modal.fields.map(({ id }) => id),
    check: (form) => faultsIn(modal, form),
    async send(form) {
      const fields = Object.fromEntries(modal.fields.map(({ id }) => [id, textOf(form, id)]));
      const body = { interaction_id: interactionId, modal_id: modal.modal_id, fields };
      await interactions.ask({ ...asked, name: modal.title, pressed: null, body });
      close();
    },
  });
  return (
    <Dialog open onOpenChange={close} title={modal.title} description={texts.apps.modalOf(botName ?? texts.apps.app)}>
      {/* The form shows faults at the field, in the language of the page. */}
      <form ref={ref} onSubmit={onSubmit} noValidate>
        {modal.fields.map((field) => (
          <ModalField key={field.id} field={field} error={faults[field.id]} />
        ))}
        <FormEnd error={error} isBusy={isBusy} onLeave={close} />
      </form>
    </Dialog>
  );
}

function ModalField({
  field: { id, label, style, required, min_length, max_length, value, placeholder },
  error = null,
}: {
  field: Modal["fields"][number];
  error: string | null | undefined;
}) {
  const Field = style === "paragraph" ? TextArea : TextField;
  const bounds = texts.apps.faults.length(min_length ?? 0, max_length ?? modalLimits.text);
  return (
    <Field
      label={required ? label : texts.apps.optional(label)}
      name={id}
      required={required}
      defaultValue={value ?? ""}
      placeholder={placeholder ?? undefined}
      dir="auto"
      error={error}
      {...(min_length === null && max_length === null ? {} : { hint: bounds })}
    />
  );
}

function faultsIn({ fields }: Modal, form: FormData): Faults {
  const found = fields.flatMap(({ id, required, min_length, max_length }) => {
    const max = max_length ?? modalLimits.text;
    const fault = lengthFault(textOf(form, id), { isRequired: required, min: min_length, max });
    return fault === undefined ? [] : [[id, fault]];
  });
  return Object.fromEntries(found);
}
