import { useLocation } from "wouter";
import { texts } from "../../texts/start-texts.js";
import { Button } from "../../ui/look/button.js";
import { EmptyState } from "./empty-state.js";

/** Shown in place of a page whose rendering failed. */
export function Broken() {
  const labels = texts.common;
  const [, navigate] = useLocation();
  return (
    <main role="alert">
      <EmptyState title={labels.broken} text={labels.brokenText}>
        <Button onClick={() => location.reload()}>{labels.loadAgain}</Button>
        <Button kind="quiet" onClick={() => navigate("/dm")}>
          {labels.toStart}
        </Button>
      </EmptyState>
    </main>
  );
}
