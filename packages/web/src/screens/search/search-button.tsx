import { Search, SearchCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { texts } from "../../texts/texts.js";
import { Button, IconButton } from "../../ui/look/button.js";
import { useIsNarrow } from "../../ui/look/use-media.js";
import { noteFocus } from "../../ui/overlays/return-focus.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import { useLeftSearch } from "./search-host.js";

/** Opens the search, or its results again after the user went to one of them. */
export function SearchButton() {
  const labels = texts.search;
  const open = useOpenDialog((dialogs) => dialogs.open);
  const isLeft = useLeftSearch((search) => search.isLeft);
  const isNarrow = useIsNarrow();
  const show = () => open({ kind: "search" });
  const button = useRef<HTMLButtonElement>(null);
  // The button that opened the search is gone where its screen has been read meanwhile.
  useEffect(() => {
    if (useOpenDialog.getState().dialog?.kind === "search") noteFocus(button.current);
  }, []);
  if (isLeft && !isNarrow) {
    return (
      <Button ref={button} kind="quiet" onClick={show}>
        <SearchCheck size={17} aria-hidden />
        {labels.back}
      </Button>
    );
  }
  const Icon = isLeft ? SearchCheck : Search;
  return (
    <IconButton ref={button} label={isLeft ? labels.back : labels.title} onClick={show}>
      <Icon size={19} aria-hidden />
    </IconButton>
  );
}
