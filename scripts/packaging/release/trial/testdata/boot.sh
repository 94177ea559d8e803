# The first process of a machine: sh -euc "$(cat boot.sh)" sh PLACE LAYERS [FROM=TO]…, in namespaces of mounts and processes that unshare made.
place=$1
layers=$2
shift 2
read -r pid _ </proc/self/stat # as the processes outside know it, until /proc is another one
mount -t tmpfs tmpfs "$place"
cd "$place"
mkdir upper work root
mount -t overlay overlay -o "lowerdir=$layers,upperdir=$place/upper,workdir=$place/work" root
cd root
for shared; do
	from=${shared%%=*}
	to=.${shared#*=}
	if [ -d "$from" ]; then
		mkdir -p "$to"
	else
		mkdir -p "$(dirname "$to")"
		: >"$to"
	fi
	mount --bind "$from" "$to"
	mount -o remount,ro,bind "$to"
done
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs tmpfs dev/shm
cp /etc/resolv.conf etc/resolv.conf
# It says when all is there, takes the exit codes of processes whose parents have ended, and ends when its input is closed.
exec chroot . sh -c 'printf "%s\n" "$1" && cat; :' sh "$pid"
