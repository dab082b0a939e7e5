import { Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { visibleChannels } from "../../state/access/permissions.js";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../../ui/look/button.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { lazyPart } from "../../ui/page/lazy-part.js";

const whileMissing = {
  missing: ({ onOpenChange }: { onOpenChange: (open: boolean) => void }, note: ReactNode) => (
    <Dialog open onOpenChange={onOpenChange} title={texts.search.title}>
      {note}
    </Dialog>
  ),
};
const SearchDialog = lazyPart(async () => (await import("./search-dialog.js")).SearchDialog, whileMissing);
const DirectSearchDialog = lazyPart(async () => (await import("./search-dialog.js")).DirectSearchDialog, whileMissing);

/** Opens the search of a server. */
export function SearchButton({ serverId }: { serverId: string }) {
  const [isOpen, setOpen] = useState(false);
  const channels = useAppState(useShallow((state) => visibleChannels(state, serverId)));
  return (
    <>
      <OpenButton onOpen={() => setOpen(true)} />
      {isOpen ? <SearchDialog serverId={serverId} channels={channels ?? []} open onOpenChange={setOpen} /> : null}
    </>
  );
}

/** Opens the search of a conversation. */
export function DirectSearchButton({ channelId }: { channelId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <OpenButton onOpen={() => setOpen(true)} />
      {isOpen ? <DirectSearchDialog channelId={channelId} open onOpenChange={setOpen} /> : null}
    </>
  );
}

function OpenButton({ onOpen }: { onOpen: () => void }) {
  return (
    <IconButton label={texts.search.title} onClick={onOpen}>
      <Search size={19} aria-hidden />
    </IconButton>
  );
}
