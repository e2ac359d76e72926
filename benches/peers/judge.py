#!/usr/bin/env python3
"""judge.py RESULTS.jsonl [TARGETS.tsv]: our line against each target's peer, as a ratio of minimum times.

Exit 1 if any misses; lines marked stretch do not count."""
import json, os, re, sys

SHORT = {'npm': 'js', 'js': 'js', 'pypi': 'py', 'crates': 'rs'}
lines = [json.loads(l) for l in open(sys.argv[1])]
targets = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), 'targets.tsv')
time, skip = {}, {}
for l in lines:
    kind, name = l['peer'].split('@')[0].split(':')
    key = ('ours' if name.startswith('cqlwire') else SHORT[kind] + ' ' + name, l['scenario'], l['variant'])
    if l['ns_per_op_min']: time[key] = l['ns_per_op_min']
    else: skip[key] = l.get('skip', '')
missed = total = 0
for row in open(targets):
    if row.startswith('#') or not row.strip(): continue
    scenario, ours, peer, variants, most, *stretch = row.rstrip('\n').split('\t')
    for name in dict.fromkeys(l['scenario'] for l in lines):
        if not re.fullmatch(scenario, name): continue
        theirs = [time[k] for v in variants.split(',') if (k := (peer, name, v)) in time]
        total += not stretch
        if not theirs: # a peer that did not run proves nothing
            missed += not stretch
            print('MISS    %-26s %-12s no figure of %s' % (name, ours, peer))
            continue
        mine = time.get(('ours', name, ours))
        ratio = mine and mine / min(theirs)
        ok = bool(ratio) and ratio <= float(most)
        missed += not ok and not stretch
        print('%-7s %-26s %-12s %12s  vs %-20s %12.0f ns  ratio %-7s target %s' % (
            'ok' if ok else 'stretch' if stretch else 'MISS', name, ours, '%.0f ns' % mine if mine else skip.get(('ours', name, ours), 'absent')[:40], peer, min(theirs), '%.3f' % ratio if ratio else '-', most))
print('%d of %d targets met' % (total - missed, total))
sys.exit(missed > 0 or not total)
