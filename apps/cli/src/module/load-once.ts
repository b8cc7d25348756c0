import type { DecisionHost, DecisionSource, LoadedSet, ProfileSource, SourceLoad } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { sourceOf } from "@decern/core/tools";

type Profiles = Readonly<Record<string, unknown>>;

/**
 * Loads what a source has now, for commands that evaluate with one set.
 *
 * @throws the error of the load
 */
export async function loadOnce(source: DecisionSource): Promise<{
  readonly decisions: NonNullable<LoadedSet["decisions"]>;
  readonly profiles: Profiles | undefined;
}> {
  const { decisions = [], profiles } = await firstOf((host) => source.watch(host));
  const own = source.profiles;
  const from = sourceOf("profile-source", own);
  const loaded = from === undefined ? undefined : await firstOf((host) => from.watch(host));
  const given = from === undefined && isJsonObject(own) ? own : undefined;
  return { decisions: [...source.fixed, ...decisions], profiles: profiles ?? loaded?.profiles ?? given };
}

async function firstOf(
  watch: (host: DecisionHost) => ReturnType<ProfileSource["watch"]>,
): Promise<LoadedSet> {
  let stop = async (): Promise<void> => {};
  try {
    return await new Promise<LoadedSet>((accept, reject) => {
      const onLoad = (load: SourceLoad): void => {
        if (load.outcome === "failed") reject(load.error);
      };
      // Nothing is in use that a set could change.
      const candidate = () => ({ decisions: [], profiles: {}, versions: {}, changed: [] });
      const watching = watch({ candidate, accept, onLoad });
      stop = () => watching.stop();
    });
  } finally {
    await stop();
  }
}
