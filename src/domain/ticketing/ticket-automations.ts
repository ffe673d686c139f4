import type { DestinationRef } from '#domain/automations/deliveries/destination-store.ts';
import type { AutomationCondition, AutomationConditionType } from '#domain/automations/shape.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { AutomationStates } from './ticketing-shape.ts';

const any = (type: string, ...values: string[]): AutomationCondition => ({
  type: `CONDITION_TYPE_${type}` as AutomationConditionType,
  mode: 'MODE_ANY',
  values,
});
const SEVERE = any('SEVERITY', 'high', 'critical');
const PRIMARY = any('PRIMARY_REF', 'true');

/** What each switch opens tickets for: findings that are severe and probably right. */
const CONDITIONS: Record<keyof AutomationStates, { what: string; conditions: AutomationCondition[] }> = {
  sast: { what: 'code', conditions: [any('PRODUCT', 'sast'), SEVERE, any('CONFIDENCE', 'high'), PRIMARY] },
  sca: {
    what: 'reachable dependencies',
    conditions: [
      ...[any('PRODUCT', 'sca'), SEVERE, PRIMARY],
      any('REACHABILITY', 'reachable', 'always_reachable', 'conditionally_reachable'),
    ],
  },
  secrets: {
    what: 'valid secrets',
    conditions: [any('PRODUCT', 'secrets'), SEVERE, any('VALIDATION_STATE', 'confirmed_valid')],
  },
  scaMaliciousDeps: {
    what: 'malicious dependencies',
    conditions: [any('PRODUCT', 'sca'), any('MALICIOUS_DEPENDENCY', 'true')],
  },
  aiSast: { what: 'code reviewed by AI', conditions: [any('PRODUCT', 'ai_sast'), SEVERE, PRIMARY] },
};

/** The automations behind the switches of an instance; they belong to it and are shown nowhere else. */
export async function applyAutomationStates(
  tx: Tx,
  { deployment, id }: DestinationRef,
  { states, name, by }: { states: AutomationStates; name: string; by: string },
): Promise<void> {
  const switches = Object.entries(CONDITIONS) as [keyof AutomationStates, (typeof CONDITIONS)['sast']][];
  for (const [key, { what, conditions }] of switches) {
    const slug = `ticketing-${id}-${key.toLowerCase()}`;
    const mode = states[key] ? 'live' : 'paused';
    const actions = [{ type: 'ACTION_TYPE_JIRA', config: { instance_id: id }, id: '1' }];
    const title = `Tickets in ${name} for ${what}`.slice(0, 128);
    await tx.run`
      insert into automation (deployment_id, slug, origin, name, description, mode, trigger_source, filters, actions,
        last_action_id, created_by, updated_by)
      values (${deployment}, ${slug}, 'builtin', ${title}, '', ${mode}, 'TRIGGER_SOURCE_SCAN',
        ${JSON.stringify({ mode: 'MODE_ALL', conditions })}::jsonb, ${JSON.stringify(actions)}::jsonb, 1, ${by}, ${by})
      on conflict (deployment_id, slug) do update set mode = excluded.mode, name = excluded.name,
        updated_by = excluded.updated_by, updated_at = now(), version = automation.version + 1`;
  }
}

export const deleteBuiltInAutomations = (tx: Tx, { deployment, id }: DestinationRef): Promise<number> =>
  tx.run`
    delete from automation
    where deployment_id = ${deployment} and origin = 'builtin' and starts_with(slug, ${`ticketing-${id}-`})`;
