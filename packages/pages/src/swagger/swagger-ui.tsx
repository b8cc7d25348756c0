import { useEffect, useRef } from "preact/hooks";
import type { JsonObject } from "../model/json.js";
import type { ApiDocument } from "./load-document.js";
import { keepRepaired } from "./repair.js";

interface SwaggerUIOptions {
  readonly spec: JsonObject;
  readonly domNode: HTMLElement;
  readonly deepLinking: boolean;
  readonly presets: readonly unknown[];
  readonly layout: string;
  readonly validatorUrl: null;
  readonly defaultModelsExpandDepth: number;
  readonly onComplete: () => void;
}

interface SwaggerUIInstance {
  preauthorizeApiKey(scheme: string, key: string): void;
}

declare global {
  /** From `swagger-ui-bundle.js`, which the page loads before this. */
  var SwaggerUIBundle: {
    (options: SwaggerUIOptions): SwaggerUIInstance;
    readonly presets: { readonly apis: unknown };
  };
}

interface SwaggerUIProps {
  readonly document: ApiDocument;
  readonly apiKey: string;
}

/** Swagger UI itself. */
export function SwaggerUI({ document: { spec, keySchemes }, apiKey }: SwaggerUIProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const ui = SwaggerUIBundle({
      spec,
      domNode: current,
      deepLinking: true,
      presets: [SwaggerUIBundle.presets.apis],
      // Without the bar that asks for the URL of another document.
      layout: "BaseLayout",
      validatorUrl: null,
      // A service with five decisions has sixty schemas. Their list opens when it is pressed.
      defaultModelsExpandDepth: 0,
      onComplete: () => {
        if (apiKey !== "") for (const scheme of keySchemes) ui.preauthorizeApiKey(scheme, apiKey);
      },
    });
    return keepRepaired(current);
  }, [spec, keySchemes, apiKey]);
  return <div class="swagger" ref={place} />;
}
