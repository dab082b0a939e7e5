import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../look/button.js";
import { ConfirmDialog, type Question } from "./confirm.js";
import { Menu } from "./menu.js";

/** An action on the thing of a row: at once, or after a question. */
export type RowAction = { label: string; danger?: boolean } & ({ onSelect: () => void } | { question: Question });

/** The menu at the end of a row, for actions that are rare or cannot be undone. */
export function RowMenu({ name, actions }: { name: string; actions: readonly (RowAction | null)[] }) {
  const [asked, ask] = useState<string | null>(null);
  const offered = actions.filter((action) => action !== null);
  if (offered.length === 0) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={texts.shell.moreFor(name)}
            // Radix keeps the pointer from giving it the focus, to which a dialog of the menu returns it.
            onPointerDown={({ currentTarget }) => currentTarget.focus()}
          >
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
        items={offered.map((action) => ({
          label: action.label,
          danger: action.danger === true,
          onSelect: "question" in action ? () => ask(action.label) : action.onSelect,
        }))}
      />
      {offered.map((action) =>
        "question" in action ? (
          <ConfirmDialog
            key={action.label}
            open={asked === action.label}
            onOpenChange={() => ask(null)}
            confirmLabel={action.label}
            tone={action.danger === true ? "danger" : "plain"}
            {...action.question}
          />
        ) : null,
      )}
    </>
  );
}
