# Build `./mayfly version` (or `mvn package`) first: the image takes the program from server/target.
#   docker build -t mayfly .
#   docker run -p 27017:27017 -p 8081:8081 -e MAYFLY_COSMOS_KEY=... -v mayfly-data:/data mayfly
FROM eclipse-temurin:25-jre
COPY mayfly server/target/mayfly.jar /opt/mayfly/
RUN useradd --system mayfly && mkdir /data && chown mayfly /data
USER mayfly
VOLUME /data
EXPOSE 27017 8081
# Inside a container all clients come from afar: add a user with `mayfly users add` first.
# Memory is a gigabyte, or three quarters of the container's limit where that is less: MAYFLY_MEMORY.
ENTRYPOINT ["/opt/mayfly/mayfly"]
CMD ["serve", "--data", "/data", "--bind", "0.0.0.0"]
