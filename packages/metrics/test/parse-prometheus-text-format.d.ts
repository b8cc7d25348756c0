declare module "parse-prometheus-text-format" {
  export interface ParsedMetric {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly {
      readonly labels?: Readonly<Record<string, string>>;
      readonly value?: string;
    }[];
  }
  export default function parsePrometheusTextFormat(page: string): readonly ParsedMetric[];
}
