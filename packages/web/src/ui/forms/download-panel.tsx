import { ErrorNote } from "../data/async-content.js";
import { useAction } from "../data/use-action.js";
import { Button } from "../look/button.js";
import { Panel } from "./settings-page.js";

/** Describes a file that the user can save; it is created when the user requests it. */
export function DownloadPanel({
  title,
  explanation,
  button,
  filename,
  read,
}: {
  title: string;
  explanation: string;
  button: string;
  filename: string;
  read: () => Promise<Blob>;
}) {
  const save = useAction(async () => download(await read(), filename));
  return (
    <Panel title={title} hint={explanation}>
      <ErrorNote error={save.error} />
      <Button kind="quiet" disabled={save.isBusy} onClick={() => save.run()}>
        {button}
      </Button>
    </Panel>
  );
}

/** Offers a file to be saved. */
function download(content: Blob, filename: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
  URL.revokeObjectURL(url);
}
