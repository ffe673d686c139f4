import { ActionIcon, Button, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ssoSettings } from '#web/foundation/api/services.ts';
import { ORG_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { teamsQuery } from '../teams/model/queries.ts';
import type { GroupRule } from './queries.ts';

const ROLES = ['ORG_ROLE_ADMIN', 'ORG_ROLE_MEMBER', 'ORG_ROLE_READONLY'] as const;
const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: ORG_ROLE_LABELS[value] ?? value }));

interface GroupRulesProps {
  providerId: string;
  rules: readonly GroupRule[];
  onChange: (rules: GroupRule[]) => void;
}

/** What the members of each group get, and a preview of it for some groups. */
export function GroupRules({ providerId, rules, onChange }: GroupRulesProps) {
  const { id: deploymentId } = useOrg();
  const { data } = useInfiniteQuery(teamsQuery(deploymentId));
  const teams = data?.pages.flatMap((page) => page.teams).map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const replace = (index: number, part: Partial<GroupRule>) =>
    onChange(rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)));
  return (
    <fieldset className="sso-rules">
      <legend>Groups</legend>
      <p className="dimmed">People in none of these groups get the role {ORG_ROLE_LABELS['ORG_ROLE_READONLY']}.</p>
      {rules.map(({ group, role, teamIds }, index) => (
        // Rules have no id, and none is moved: the place identifies the row.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <div className="sso-rule" key={index}>
          <TextInput
            label={index === 0 ? 'Group' : undefined}
            aria-label={`Group ${index + 1}`}
            required
            value={group}
            onChange={(event) => replace(index, { group: event.currentTarget.value })}
          />
          <Select
            label={index === 0 ? 'Role' : undefined}
            aria-label={`Role of group ${index + 1}`}
            placeholder="no role"
            clearable
            data={ROLE_OPTIONS}
            value={role ?? null}
            onChange={(value) => replace(index, { role: ROLES.find((one) => one === value) })}
          />
          <MultiSelect
            label={index === 0 ? 'Teams' : undefined}
            aria-label={`Teams of group ${index + 1}`}
            searchable
            data={teams}
            value={teamIds}
            onChange={(value) => replace(index, { teamIds: value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Delete group ${index + 1}`}
            onClick={() => onChange(rules.filter((_, at) => at !== index))}
          >
            <Trash2 size={16} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="default"
        leftSection={<Plus size={16} />}
        onClick={() => onChange([...rules, { group: '', teamIds: [] }])}
      >
        Add a group
      </Button>
      <Preview providerId={providerId} rules={rules} />
    </fieldset>
  );
}

function Preview({ providerId, rules }: Omit<GroupRulesProps, 'onChange'>) {
  const { id: deploymentId } = useOrg();
  const [memberOf, setMemberOf] = useState<string[]>([]);
  const complete = rules.filter(({ group }) => group !== '');
  const preview = useQuery({
    queryKey: [deploymentId, 'settings', 'sso-preview', providerId, memberOf, complete],
    queryFn: ({ signal }) =>
      ssoSettings.previewSsoGroups(
        { path: { deploymentId, providerId }, body: { memberOf, rules: complete } },
        { signal },
      ),
    enabled: memberOf.length > 0,
  });
  return (
    <div className="sso-preview">
      <TagsInput
        label="Preview: somebody in these groups"
        placeholder="Enter the name of a group"
        value={memberOf}
        onChange={setMemberOf}
      />
      {preview.data && memberOf.length > 0 && (
        <p role="status">
          gets the role <strong>{ORG_ROLE_LABELS[preview.data.role] ?? preview.data.role}</strong>
          {preview.data.teams.length > 0 && ` and joins ${preview.data.teams.join(', ')}`}.
        </p>
      )}
      {preview.isError && <ProblemView error={preview.error} />}
    </div>
  );
}
