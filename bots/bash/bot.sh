#!/usr/bin/env bash
# An example bot: shoots at random and follows up its hits. It speaks docs/protocol.md.
LC_ALL=C letters=ABCDEFGHIJKLMNOPQRSTUVWXYZ
set -f # words are words, never file names
edge=53 sides="1 -1 53 -53" # cell = row * edge + column, both from 1; cells beyond the board are not in the sea
name() { # text = the name of cell $1
  text=${letters:($1 % edge - 1) % 26:1}$(($1 / edge)) && (($1 % edge <= 26)) || text=A$text
}
shuffle() { # the array list
  local i j swap
  for ((i = ${#list[@]}; i > 1; )); do j=$((RANDOM % i--)) swap=${list[i]} list[i]=${list[j]} list[j]=$swap; done
}
start_game() { # FIELDS
  local size= fleet= touching= seed= width height i ship
  while (($# > 1)); do case $1 in size | fleet | touching | seed) local "$1=$2" ;; esac; shift 2; done
  [[ $size =~ ^[1-9][0-9]?x[1-9][0-9]?$ && $fleet =~ ^([^:]+:[1-9][0-9]?)+$ && $seed =~ ^[0-9]+$ ]] || return
  RANDOM=$((10#$seed & 0x7fffffff)) around= width=${size%x*} height=${size#*x} sea=() lengths=()
  [[ $touching == allowed ]] || around=$sides
  [[ $touching != forbidden ]] || around+=" $((edge + 1)) $((edge - 1)) $((1 - edge)) $((-1 - edge))"
  for ((i = 0; i < width * height; i++)); do sea[(i / width + 1) * edge + i % width + 1]=open; done
  for ship in ${fleet//,/ }; do lengths+=("${ship#*:}"); done
  list=("${!sea[@]}") left=${#sea[@]} base=${#sea[@]} && shuffle && targets=("${list[@]}") # the last comes first
}
try_to_place() { # fleet = the answer; fails where a ship finds no room; packed from the first row on if $1 is 0
  local length ship at start step i near list=("${!sea[@]}") taken=()
  list+=("${list[@]/#/-}") # with a minus: downwards
  (($1 == 0)) || shuffle
  for ((length = 50; length > 0; length--)); do
    at=0
    for ship in "${!lengths[@]}"; do
      ((i = 0, lengths[ship] == length)) || continue
      for (( ; i < length; at++)); do # each place is tried once: what is taken stays taken
        start=${list[at]#-} step=1
        [[ $start ]] || return
        [[ ${list[at]} == "$start" ]] || step=$edge
        for ((i = 0; i < length; i++)); do [[ ${sea[start + i * step]} && ! ${taken[start + i * step]} ]] || break; done
      done
      for ((i = 0; i < length; i++)); do for near in 0 $around; do taken[start + i * step + near]=1; done; done
      name "$start" && fleet[ship]=$text
      ((length == 1)) || { name $((start + (length - 1) * step)) && fleet[ship]+=-$text; }
    done
  done
}
place() {
  local tries=1 end=$((SECONDS + 4)) fleet=()
  until try_to_place $((tries++ % 20)); do ((SECONDS < end)) || return; done
  echo "fleet ${fleet[*]}"
}
shoot() { # N
  local shots= i=0 cell last
  [[ $1 =~ ^[1-9][0-9]{0,3}$ ]] && ((left >= $1)) || return
  for ((left -= $1; i < $1; )); do
    last=$((${#targets[@]} - 1)) && cell=${targets[last]} && unset "targets[last]"
    ((last >= base)) || base=$last # this many targets are random, behind them are neighbours of hits
    [[ ${sea[cell]} != open ]] || { name "$cell" && sea[cell]=shot shots+=" $text" i=$((i + 1)); }
  done
  echo "shots$shots"
}
answer() { # CELL RESULT
  [[ $1 =~ ^(A?)([A-Z])([1-9][0-9]?)$ ]] || return
  local step before=${letters%%"${BASH_REMATCH[2]}"*}
  local cell=$((BASH_REMATCH[3] * edge + 26 * ${#BASH_REMATCH[1]} + ${#before} + 1))
  [[ ${sea[cell]} ]] && sea[cell]=$2 || return
  [[ $2 != sunk ]] || targets=("${targets[@]:0:base}")
  [[ $2 == hit ]] || return 0
  for step in $sides; do targets+=($((cell + step))); done
  for step in $sides; do [[ ${sea[cell - step]} != hit ]] || targets+=($((cell + step))); done # in line: these first
}
while read -r command words; do
  case $command in
    seabattle) printf 'name Bash example\nready\n' ;;
    sync) echo ready ;;
    game) start_game $words ;;
    place | shoot | answer) ((${#sea[@]} > 0)) && "$command" $words ;;
    enemy | end) ;;
    quit) exit ;;
    *) false ;;
  esac || echo "error cannot do this"
done
