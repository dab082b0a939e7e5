import { Search } from "lucide-react";
import { useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { visibleChannels } from "../../state/permissions.js";
import { useAppState } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { lazyPart } from "../../ui/lazy-part.js";

const SearchDialog = lazyPart(async () => (await import("./search-dialog.js")).SearchDialog, {
  missing: ({ onOpenChange }, note) => (
    <Dialog open onOpenChange={onOpenChange} title={texts.search.title}>
      {note}
    </Dialog>
  ),
});

/** Opens the search of a server. */
export function SearchButton({ serverId }: { serverId: string }) {
  const [isOpen, setOpen] = useState(false);
  const channels = useAppState(useShallow((state) => visibleChannels(state, serverId)));
  return (
    <>
      <IconButton label={texts.search.title} onClick={() => setOpen(true)}>
        <Search size={19} aria-hidden />
      </IconButton>
      {isOpen ? <SearchDialog serverId={serverId} channels={channels ?? []} open onOpenChange={setOpen} /> : null}
    </>
  );
}
