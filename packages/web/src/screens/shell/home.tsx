import { Compass, Plus } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { Button } from "../../ui/look/button.js";
import { DirectList } from "./direct-list.js";
import { EmptyState } from "./empty-state.js";
import { AddServerDialog } from "./lazy-add-server.js";
import { Shell } from "./shell.js";
import { TopBar } from "./top-bar.js";

/** The page of direct messages while no conversation is open. */
export function Home() {
  const labels = texts.shell;
  const [isAdding, setAdding] = useState(false);
  const hasServers = useAppState((state) => state.servers.length > 0);
  const [, navigate] = useLocation();
  return (
    <Shell list={<DirectList />}>
      <TopBar title={labels.directMessages} />
      <EmptyState title={labels.welcome} text={hasServers ? labels.chooseConversation : labels.welcomeText}>
        <Button onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden />
          {labels.addServer}
        </Button>
        <Button kind="quiet" onClick={() => navigate("/browse")}>
          <Compass size={16} aria-hidden />
          {labels.browse}
        </Button>
      </EmptyState>
      {isAdding ? <AddServerDialog onClose={() => setAdding(false)} /> : null}
    </Shell>
  );
}
