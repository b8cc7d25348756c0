import { type SharedCall, toFragment } from "../model/share-link.js";
import { CopyButton } from "../parts/copy-button.js";

/** Some programs cut off what is longer. */
const longLink = 8000;

interface ShareButtonProps {
  readonly id: string;
  /** The version that the form is for: the link opens this one, also when the service has a newer one. */
  readonly version: string;
  readonly call: SharedCall;
}

/** Copies a link that restores the call, and puts it into the address bar. */
export function ShareButton({ id, version, call }: ShareButtonProps) {
  const link = () => new URL(toFragment(id, call, version), location.href).href;
  return (
    <CopyButton
      label="Share"
      icon="link"
      done={() => {
        const { length } = link();
        return length > longLink
          ? `Link copied. It is long (${Math.round(length / 1000)} kB): some programs cut it off`
          : "Link copied";
      }}
      text={() => {
        history.replaceState(null, "", toFragment(id, call, version));
        return location.href;
      }}
    />
  );
}
