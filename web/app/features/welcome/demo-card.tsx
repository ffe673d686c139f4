import '@mantine/core/styles/Progress.layer.css';
import { Button, Progress } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { demos } from '#web/foundation/api/services.ts';
import { orgsQuery } from '#web/foundation/session/org.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';

const POLL_INTERVAL_MS = 1000;
const demoKey = (deploymentId: string) => [deploymentId, 'demo'];

/** Offers a separate organization with demo data. */
export function DemoCard() {
  const queryClient = useQueryClient();
  const [deploymentId, setDeploymentId] = useState('');
  const load = useMutation({
    mutationFn: () => demos.createDemo({}),
    onSuccess: async (demo) => {
      setDeploymentId(demo.deploymentId);
      void queryClient.invalidateQueries({ queryKey: demoKey(demo.deploymentId) });
      await queryClient.invalidateQueries(orgsQuery);
    },
  });
  return (
    <section className="start-card">
      <h2>Explore demo data</h2>
      <p className="dimmed">
        A separate organization with 12 fictional projects and six months of findings. Remove it with one click.
      </p>
      {load.error && <ProblemView error={load.error} onRetry={() => load.mutate()} />}
      {deploymentId === '' ? (
        <Button variant="default" onClick={() => load.mutate()} loading={load.isPending}>
          Load the demo
        </Button>
      ) : (
        <DemoProgress deploymentId={deploymentId} onAgain={() => load.mutate()} isBusy={load.isPending} />
      )}
    </section>
  );
}

interface DemoProgressProps {
  deploymentId: string;
  onAgain: () => void;
  isBusy: boolean;
}

function DemoProgress({ deploymentId, onAgain, isBusy }: DemoProgressProps) {
  const { data, error } = useQuery({
    queryKey: demoKey(deploymentId),
    queryFn: ({ signal }) => demos.getDemo({ path: { deploymentId } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'LOADING' || !state.data ? POLL_INTERVAL_MS : false),
  });
  if (error) return <ProblemView error={error} />;
  if (data?.state === 'READY')
    return (
      <Link to="/o/$slug/overview" params={{ slug: data.slug }}>
        Open the demo
      </Link>
    );
  if (data?.state === 'FAILED')
    return (
      <>
        <p role="alert">The demo could not be loaded.</p>
        <Button variant="default" onClick={onAgain} loading={isBusy}>
          Try again
        </Button>
      </>
    );
  return (
    <div className="start-progress" role="status">
      <Progress value={data?.progress ?? 0} aria-label="Loading the demo" />
      <span className="dimmed">{data?.findings ?? 0} findings so far</span>
    </div>
  );
}
