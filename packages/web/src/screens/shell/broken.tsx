import { useLocation } from "wouter";
import { texts } from "../../texts/start-texts.js";
import { Button } from "../../ui/button.js";
import { EmptyState } from "./empty-state.js";

/** Shown in place of a page whose rendering failed. */
export function Broken() {
  const names = texts.common;
  const [, navigate] = useLocation();
  return (
    <main role="alert">
      <EmptyState title={names.broken} text={names.brokenText}>
        <Button onClick={() => location.reload()}>{names.loadAgain}</Button>
        <Button kind="quiet" onClick={() => navigate("/dm")}>
          {names.toStart}
        </Button>
      </EmptyState>
    </main>
  );
}
